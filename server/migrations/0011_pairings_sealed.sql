-- Housekeeping clears these tokens when their pairing expires; the pairing stays for 30 days.
create index proof_pairing_sessions_sealed on proof_pairing_sessions (expires_at)
  where desktop_refresh_sealed is not null;
