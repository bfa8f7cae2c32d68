-- Addresses are forgotten 30 days after the last log-in from them.
create index login_addresses_expiry on login_addresses (last_login_at);
