import { describe, expect, it } from 'vitest';
import { ROUTES } from './generated/api.js';
import { Svc } from './sdk.js';

/** Methods that send several operations, or none themselves, or return more than another method of the same operation. */
const COMPOSED = [
  'approvals.requireApproval',
  'approvals.wait',
  'attendance.sheets.file',
  'audit.verify',
  'console.audit',
  'console.getVersionedSecurityPolicy',
  'console.pairing',
  'console.registrations',
  'devices.enrollWithKey',
  'devices.session',
  'devices.sign',
  'download',
  'events.read',
  'events.stream',
  'pairing.signIn',
  'pairing.wait',
  'phone.additions.waitWhile',
  'phone.createUse',
  'phone.pairing.find',
  'registrations.takePart',
  'registrations.wait',
  'request',
  'requestWithHeaders',
  'serverNow',
  'users.identities',
  'users.readExport',
];

/** Methods whose first argument has an id. The others' first argument is one. */
const WITH_ID = [
  'pairing.cancel',
  'pairing.get',
  'pairing.redeem',
  'phone.approvals.decide',
  'phone.attendance.contest',
  'phone.attendance.decideCorrection',
  'phone.pairing.context',
  'phone.recoveries.contest',
];

const requests: string[] = [];
const client = new Svc({
  baseUrl: 'https://a.test',
  apiKey: `svc_test_${'0'.repeat(48)}`,
  consoleToken: 'token',
  maxRetries: 0,
  fetch: async (url, init) => {
    requests.push(`${init?.method} ${new URL(String(url)).pathname}`);
    return Response.json({});
  },
});

type Methods = Readonly<Record<string, (...input: readonly unknown[]) => unknown>>;

/** The methods of a resource and of those that it contains, such as `console.keys.list`. */
function methodsOf(resource: object, path = ''): [string, () => unknown][] {
  const methods: [string, () => unknown][] = [];
  for (let at = resource; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      const input = WITH_ID.includes(path + name)
        ? { id: 'x', sessionId: 'x', recoveryId: 'x', approvalId: 'x', attendanceId: 'x', correctionId: 'x' }
        : 'x';
      if (typeof value === 'function' && name !== 'constructor')
        methods.push([path + name, () => (resource as Methods)[name]?.(input, {})]);
      else if (typeof value === 'object') methods.push(...methodsOf(value, `${path}${name}.`));
    }
  return methods;
}

/** The operation that a method requests first. Its result is ignored. */
async function operationOf(call: () => unknown): Promise<string | undefined> {
  requests.length = 0;
  try {
    const result = call();
    await (typeof result === 'object' && result !== null && 'next' in result
      ? (result as AsyncGenerator).next()
      : result);
  } catch {}
  const routes = Object.entries(ROUTES).filter(([, { route }]) =>
    new RegExp(`^${route.replace(/\{\w+\}/g, 'x')}$`).test(requests[0] ?? ''),
  );
  return routes[0]?.[0];
}

const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

describe('the methods of the SDK', () => {
  const methods = methodsOf(client);

  it.each(methods.filter(([name]) => !COMPOSED.includes(name)))(
    '%s has the name of its operation without the resource',
    async (name, call) => {
      const operation = await operationOf(call);
      expect([name, operation]).not.toEqual([name, undefined]);
      const rest = wordsOf((operation as string).replace(/^console(?=[A-Z])/, ''));
      const [verb, ...objects] = wordsOf(name.split('.').at(-1) as string);
      // A method that reads may leave out its verb, as `context` does.
      if (rest[0] === 'get' && verb !== 'get') objects.unshift(String(verb));
      else expect(rest[0]).toBe(verb);
      expect(rest.slice(1)).toEqual(expect.arrayContaining(objects));
    },
  );

  it('are all compared, or listed as composed of others', () => {
    const names = methods.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(COMPOSED));
    expect(names).toEqual(
      expect.arrayContaining(['users.create', 'console.keys.revoke', 'pairing.submitProof']),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});
