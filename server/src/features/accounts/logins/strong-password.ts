import { fail } from '../../../base/errors.js';
import { passwordWeakness } from '../../../model/password.js';

/** @throws Failure `weak_password` */
export function requireStrong(password: string, email: string, companyName: string, field: string): void {
  const weakness = passwordWeakness(password, email, companyName);
  if (weakness === undefined) return;
  const details = [{ path: `body.${field}`, message: weakness }];
  fail('weak_password', { message: `The password ${weakness}.`, details });
}
