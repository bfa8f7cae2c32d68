import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Credentials, codes that work once, and personal data. */
const PRIVATE =
  /svc_(live|test|device|console)_|whsec_|SV-[2-9A-Z]{4}-[2-9A-Z]{4}|svc_pair_bind=|SAMLResponse|"(\w*secret|\w*token|password|code|fullName|email)":/i;

/** The files below a folder that have any of that and another mode than 0600. */
export function exposedFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => {
    const stat = statSync(join(folder, name));
    return (
      stat.isFile() && (stat.mode & 0o777) !== 0o600 && PRIVATE.test(readFileSync(join(folder, name), 'utf8'))
    );
  });
}
