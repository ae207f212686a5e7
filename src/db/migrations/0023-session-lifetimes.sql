-- Sessions end 30 days after their sign-in, however much they are used, and are listed with their last use. A changed
-- password ends the password links of its person. `sessions` is small: its lock is short.

alter table sessions
  -- The last use, to within five minutes.
  add column used_at timestamptz not null default now(),
  -- When the person last proved who they are: at the sign-in, or since then.
  add column authenticated_at timestamptz not null default now();
update sessions set used_at = updated_at, authenticated_at = created_at;

-- better-auth knows no absolute lifetime: it sets expires_at to a week from now at each renewal.
create function end_session_in_time() returns trigger language plpgsql as $$
begin
  new.expires_at := least(new.expires_at, new.created_at + interval '30 days');
  return new;
end $$;
create trigger session_ends before insert or update of expires_at, created_at on sessions for each row
  execute function end_session_in_time();
update sessions set expires_at = expires_at;

-- In the transaction of the change, whichever code makes it: who has found a link must not undo the new password.
create function end_password_links() returns trigger language plpgsql as $$
begin
  delete from password_links where user_id = new.user_id;
  return null;
end $$;
create trigger password_ends_links after update of password on accounts for each row
  when (old.password is distinct from new.password) execute function end_password_links();
