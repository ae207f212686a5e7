#!/bin/sh
# Creates the service's role, which is no superuser and owns its database. PostgreSQL's image runs it once, in an empty volume.
set -eu
password=$(cat /run/secrets/postgres_password)
psql --quiet --set ON_ERROR_STOP=1 --set password="$password" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role pressbell login password :'password';
-- PostgreSQL's log would show rows and statements of what failed: addresses of readers, e-mails.
alter role pressbell set log_error_verbosity = terse;
alter role pressbell set log_min_error_statement = panic;
create database pressbell owner pressbell;
SQL
