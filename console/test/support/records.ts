import type { Account } from '../../../server/test/support/service.js';
import type { PagesService } from './service.js';

/** Names with markup, direction marks or excessive length, which must be shown as plain text. */
export const HOSTILE_NAMES = [
  '<img src=x onerror="document.title=1">',
  '</td><script>document.title=1</script>',
  '\u202Egro.live\u2066 عبد الله',
  'Wolfeschlegelsteinhausenbergerdorff'.repeat(5),
] as const;

const CONCURRENCY = 28;

const nameOf = (at: number): string => HOSTILE_NAMES[at] ?? `Number ${at}`;

/** Creates `count` records for each list through the API. The records with hostile names are the newest, in order. */
export async function makeRecords(service: PagesService, account: Account, count: number): Promise<void> {
  const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const reply = await service.call('POST', path, { as: account.key, body });
    if (reply.status !== 201) throw new Error(`${path} returned ${reply.status} ${reply.text}`);
    return Object.values(reply.body)[0] as { id: string };
  };
  const make = async (at: number) => {
    const metadata = { note: nameOf(at) };
    const [user, device] = await Promise.all([
      post('/v1/users', { fullName: nameOf(at), email: `p${at}@example.com`, metadata }),
      post('/v1/devices', { name: nameOf(at), locationId: nameOf(at), metadata }),
    ]);
    const event = { userId: user.id, deviceId: device.id, metadata };
    // Some check-outs are rejected, but no check-ins.
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
  for (let at = ordinary.length; at > 0; at -= CONCURRENCY)
    await Promise.all(ordinary.slice(Math.max(0, at - CONCURRENCY), at).map(make));
  for (const at of [...HOSTILE_NAMES.keys()].toReversed()) await make(at);
}
