import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeAddition } from '../../src/features/phones/additions/additions.js';
import {
  answerBody,
  hex32,
  type Meeting,
  meetingAfter,
  onPhone,
  openingBody,
  takeStep,
} from '../support/additions.js';
import { registerPerson } from '../support/phone.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';

const RACERS = 20;

/** Two nodes on one database, without Redis. */
let nodes: readonly [Service, Service];
let account: Account;
beforeAll(async () => {
  const clock = manualClock();
  nodes = [await startService({ clock }), await startService({ clock })];
  account = await nodes[0].signUp({ plan: 'enterprise' });
});
afterAll(() => Promise.all(nodes.map((node) => node.close())));

/** Runs it on both nodes, as many times as there are racers. */
const race = (run: (service: Service, racer: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: RACERS }, (_, racer) => run(nodes[racer % 2] as Service, racer)));
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b);
/** One winner, and what all others get. */
const oneOf = (won: number, lost: number, winners = 1) =>
  Array.from({ length: RACERS }, (_, at) => (at < winners ? won : lost));
const start = (...steps: Parameters<typeof takeStep>[2][]) => meetingAfter(nodes[0], account, ...steps);
const read = async ({ id }: Meeting) => (await onPhone(nodes[1], `/${id}`)).body.addition;

describe('20 requests on two nodes', () => {
  it('join with different phones: the first one is the only one [POST /v1/phone/additions/:code/join] [phones/two-phones-meet]', async () => {
    const meeting = await start();
    const commitments = Array.from({ length: RACERS }, hex32);
    const replies = await race((service, racer) =>
      onPhone(service, `/${meeting.code}/join`, { c: commitments[racer] }),
    );
    expect(statuses(replies)).toEqual(oneOf(201, 409));
    const winner = replies.findIndex(({ status }) => status === 201);
    expect((await read(meeting)).c).toBe(commitments[winner]);
  });

  it.each([
    ['reveal', ['join']],
    ['open', ['join', 'reveal']],
    ['reject', ['join', 'reveal', 'open']],
  ] as const)('%s: one takes the step [phones/two-phones-meet]', async (step, before) => {
    const meeting = await start(...before);
    const body = step === 'open' ? await answerBody(meeting) : undefined;
    const replies = await race((service) =>
      body ? onPhone(service, `/${meeting.id}/open`, body) : takeStep(service, meeting, step),
    );
    expect(statuses(replies)).toEqual(oneOf(200, 409));
  });

  it('open with one proof: one addition [POST /v1/phone/additions] [phones/opening-an-addition]', async () => {
    const person = await registerPerson(nodes[0], account.key);
    const body = await openingBody(nodes[0], person, hex32(), account);
    const replies = await race((service) => onPhone(service, '', body));
    expect(statuses(replies)).toEqual(oneOf(201, 401));
  });

  it('open with their own proofs: five additions of one identity [phones/opening-an-addition]', async () => {
    const person = await registerPerson(nodes[0], account.key);
    const replies = await race(async (service) =>
      onPhone(service, '', await openingBody(service, person, hex32(), account)),
    );
    expect(statuses(replies)).toEqual(oneOf(201, 429, 5));
  });

  it('complete and reject: one of both [POST /v1/phone/additions/:id/reject] [phones/two-phones-meet]', async () => {
    const meeting = await start('join', 'reveal', 'open');
    const { id, old, joining } = meeting;
    const values = { id, did: old.did, newDid: joining.did, newCommitment: joining.commitment };
    const complete = async ({ app: { deps } }: Service) => {
      const scope = { tenantId: account.tenantId, environment: 'live' } as const;
      const actor = { type: 'phone', id: null } as const;
      const outcome = await deps.write({ scope, actor, action: 'identity.added' }, (w) => {
        w.audit({ entityType: 'identity', entityId: null });
        return completeAddition(w, values, new Date(deps.clock.now()));
      });
      return outcome;
    };
    const outcomes: string[] = [];
    await Promise.all(
      Array.from({ length: RACERS }, async (_, racer) => {
        const service = nodes[racer % 2] as Service;
        if (racer % 4 < 2) outcomes.push(await complete(service));
        else outcomes.push(String((await takeStep(service, meeting, 'reject')).status));
      }),
    );
    const { state } = await read(meeting);
    const ends = outcomes.filter((outcome) => outcome === 'completed' || outcome === '200');
    expect(ends).toEqual([state === 'completed' ? 'completed' : '200']);
  });

  it('answer with different phones: the one that committed [phones/two-phones-meet]', async () => {
    const meeting = await start('join', 'reveal');
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, racer) =>
        answerBody(racer === 7 ? meeting : { ...meeting, joining: createIdentity() }),
      ),
    );
    const replies = await race((service, racer) => onPhone(service, `/${meeting.id}/open`, answers[racer]));
    // One that comes after the answer of the right phone finds the step taken.
    const others = statuses(replies).filter((status) => status !== 200);
    expect(others).toHaveLength(RACERS - 1);
    expect([401, 409]).toEqual(expect.arrayContaining(others));
    expect((await read(meeting)).newDid).toBe(meeting.joining.did);
  });

  it('wait for a change on the other node', async () => {
    const meeting = await start();
    const waiting = onPhone(nodes[1], `/${meeting.id}?wait=25`);
    await expect.poll(() => nodes[1].app.deps.bus.size).toBe(1);
    await takeStep(nodes[0], meeting, 'join');
    let reply: Reply | undefined;
    void waiting.then((received) => {
      reply = received;
    });
    await expect
      .poll(() => {
        nodes[1].clock.advance(500);
        return reply?.body.addition.state;
      })
      .toBe('joined');
  });
});
