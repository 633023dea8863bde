pbmSearch("manifest",{"format":1,"games":{"avalanchechess":"Avalanche","suicide":"Suicide"}});
