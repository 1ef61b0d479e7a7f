-- door.sql - the statement by which every command's function goes through the door.

-- :door (command): what every sugar function runs; the arguments travel beside it
INSERT INTO #turnstile(command, args) VALUES (?1, NULL);
