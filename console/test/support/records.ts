import type { Account } from '../../../server/test/support/service.js';
import type { PagesService } from './service.js';

/** What people may call themselves: each of them is only a text. */
export const HOSTILE_NAMES = [
  '<img src=x onerror="document.title=1">',
  '</td><script>document.title=1</script>',
  '\u202Egro.live\u2066 عبد الله',
  'Wolfeschlegelsteinhausenbergerdorff'.repeat(5),
] as const;

const AT_ONCE = 28;

const nameOf = (at: number): string => HOSTILE_NAMES[at] ?? `Number ${at}`;

/** So many of each list's records, made through the API. The hostile names are the newest, the first of them on top. */
export async function makeRecords(service: PagesService, account: Account, count: number): Promise<void> {
  const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const reply = await service.call('POST', path, { as: account.key, body });
    if (reply.status !== 201) throw new Error(`${path} answered ${reply.status} ${reply.text}`);
    return Object.values(reply.body)[0] as { id: string };
  };
  const make = async (at: number) => {
    const metadata = { note: nameOf(at) };
    const [user, device] = await Promise.all([
      post('/v1/users', { fullName: nameOf(at), email: `p${at}@example.com`, metadata }),
      post('/v1/devices', { name: nameOf(at), locationId: nameOf(at), metadata }),
    ]);
    const event = { userId: user.id, deviceId: device.id, metadata };
    // Only some of those who go are rejected, none of those who come.
    const result = at % 10 === 5 ? 'fail' : 'pass';
    const verification = await post('/v1/verifications', {
      ...event,
      method: 'manual',
      result,
      reason: nameOf(at),
    });
    await post('/v1/attendance', {
      ...event,
      verificationId: verification.id,
      type: at % 2 === 0 ? 'check_in' : 'check_out',
    });
  };
  const ordinary = Array.from({ length: count - HOSTILE_NAMES.length }, (_, at) => HOSTILE_NAMES.length + at);
  for (let at = ordinary.length; at > 0; at -= AT_ONCE)
    await Promise.all(ordinary.slice(Math.max(0, at - AT_ONCE), at).map(make));
  for (const at of [...HOSTILE_NAMES.keys()].toReversed()) await make(at);
}
