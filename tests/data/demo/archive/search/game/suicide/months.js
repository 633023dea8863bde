pbmSearch("game/suicide/months",{"2026-12":1});
