pbmSearch("manifest",{"format":1,"games":{"avalanchechess":"Avalanche","suicide":"Suicide"},"letters":[{"letter":"a","url":"players/a.html"},{"letter":"b","url":"players/b.html"}]});
