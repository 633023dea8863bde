pbmSearch("game/avalanchechess/months",{"2026-12":1});
