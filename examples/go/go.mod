module clientserver

go 1.21
