pbmSearch("names/b",{"longer":[],"names":["bob"]});
