module example.com/rewards-sandbox

go 1.21
