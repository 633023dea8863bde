pbmSearch("player/bob",{"games":[[1,"alice","bob",1,"2026-12-01",13,"f4,h6 Na6,c3 c4,g6 Nf6,f5","avalanchechess"],[2,"alice","bob",0,"2026-12-01",33,"d4 e5 dxe5 Qg5","suicide"]],"part":1,"parts":1});
