CREATE TABLE article (
    name text NOT NULL,
    price integer NOT NULL
);
