pbmSearch("game/suicide/2026-12",{"games":[[2,"alice","bob",0,"2026-12-01",33,"d4 e5 dxe5 Qg5","suicide","last-man"]],"part":1,"parts":1});
