import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Env } from './terminal.js';

/** Who is signed in on this terminal. */
export interface Login {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
  /** Each is used once. */
  readonly refreshToken: string | null;
}

const fileOf = (env: Env) => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'svc', 'login.json');

/** Only the owner can read it. Returns its path. */
export function saveLogin(env: Env, login: Login): string {
  const file = fileOf(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(login)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

/** Undefined if nobody is signed in, or the file is not ours. */
export function readLogin(env: Env): Login | undefined {
  try {
    const login = JSON.parse(readFileSync(fileOf(env), 'utf8')) as Login;
    const texts = [login.issuer, login.clientId, login.subject];
    return texts.every((text) => typeof text === 'string') ? login : undefined;
  } catch {
    return undefined;
  }
}

export const forgetLogin = (env: Env): void => rmSync(fileOf(env), { force: true });
