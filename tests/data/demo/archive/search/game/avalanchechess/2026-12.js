pbmSearch("game/avalanchechess/2026-12",{"games":[[1,"alice","bob",1,"2026-12-01",13,"f4,h6 Na6,c3 c4,g6 Nf6,f5","avalanchechess","checkmate"]],"part":1,"parts":1});
