module example.com/orchard

go 1.22
