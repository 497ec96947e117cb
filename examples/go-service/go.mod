module example.org/mailer

go 1.21
