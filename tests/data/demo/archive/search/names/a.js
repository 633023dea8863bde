pbmSearch("names/a",{"longer":[],"names":["alice"]});
