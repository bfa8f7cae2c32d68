import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Receipt } from '@svc/zk/approvals/receipt';
import { actionHash } from '@svc/zk/approvals/statement';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { expect } from 'vitest';
import { ACTION, proveDecision } from '../approvals.js';
import { endProcesses, freePort, freshSettings, install, startProcess } from '../process.js';
import { expectWhole } from '../receipts.js';
import { seeded } from '../seeded.js';
import { callAt, type Reply, signUpAt } from './remote.js';

export interface ApprovalReport {
  readonly kills: number;
  readonly approvals: number;
  /** Decisions whose response arrived before the kill. */
  readonly acknowledged: number;
  /** Decisions that were recorded, although no response arrived. */
  readonly unheard: number;
}

/** People who decide at the time of each kill. Every second approval is decided by one, the others by two. */
const PEOPLE = 4;
const clock = { clock: { now: Date.now } } as Parameters<typeof proveDecision>[0];

type Call = (method: string, path: string, body?: object) => Promise<Reply>;
interface Approver {
  readonly phone: PhoneIdentity;
  readonly userId: string;
}
interface Approval {
  readonly id: string;
  readonly digest: string;
}

/** What the chain says of an approval, in order. */
async function rowsOf(call: Call, { id }: Approval): Promise<{ action: string; userId: unknown }[]> {
  const { audit } = (await call('GET', '/v1/audit?limit=100')).body;
  return audit
    .filter(
      ({ entityId, status }: { entityId: string; status: string }) => entityId === id && status === 'success',
    )
    .toReversed()
    .map(({ action, metadata }: { action: string; metadata: { userId?: string } }) => ({
      action,
      userId: metadata.userId,
    }));
}

/** Each decision has its row, each row its decision, and the outcome is there when the last of them is. @returns who decided */
async function checkWhole(call: Call, approval: Approval, approvers: readonly Approver[]): Promise<string[]> {
  const { state, decisions } = (await call('GET', `/v1/approvals/${approval.id}`)).body.approval;
  const decided = decisions.map(({ userId }: { userId: string }) => userId) as string[];
  const rows = await rowsOf(call, approval);
  const byPerson = rows.filter(({ action }) => action === 'approval.approved_by').map(({ userId }) => userId);
  expect(byPerson.toSorted()).toEqual(decided.toSorted());
  const isGiven = decided.length === approvers.length;
  expect([state, rows.some(({ action }) => action === 'approval.approved')]).toEqual([
    isGiven ? 'approved' : 'pending',
    isGiven,
  ]);
  return decided;
}

/** Kills the service while people decide, and compares each approval with the chain afterwards. */
export async function checkKilledApprovals({
  kills,
  seed,
}: {
  readonly kills: number;
  readonly seed: number;
}): Promise<ApprovalReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-approvals-'));
  const installed = install();
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...(await freshSettings(join(scratch, 'data'))),
      BASE_URL: url,
      PORT: String(port),
      PLAN_WINDOW_MULTIPLIER: '1000',
    };
    let running = await startProcess(installed, env);
    await running.serving;
    const { token, tenantId } = await signUpAt(url, 'approvals');
    const scopes = [
      ...['approvals:read', 'approvals:write', 'approvals:consume', 'audit:read', 'zkp:register'],
    ];
    const wanted = { name: 'Approvals', environment: 'live', scopes };
    const created = await callAt(url, 'POST', '/api/console/keys', { as: token, body: wanted });
    const key = created.body.apiKey.key as string;
    const call: Call = (method, path, body) => callAt(url, method, path, { as: key, ...(body && { body }) });
    const approvers: Approver[] = [];
    while (approvers.length < PEOPLE) {
      const phone = createIdentity();
      const { did, commitment } = phone;
      const { body } = await call('POST', '/v1/identity/register', { did, commitment });
      approvers.push({ phone, userId: body.userId });
    }
    const [ada, grace, ...others] = approvers as [Approver, Approver, ...Approver[]];
    const groups = [[ada, grace], ...others.map((one) => [one])];
    const decide = ({ id }: Approval, body: object) =>
      callAt(url, 'POST', `/v1/phone/approvals/${id}/decide`, { body });
    const report = { kills, approvals: 0, acknowledged: 0, unheard: 0 };
    // Until a process answers its first decisions. Doubled while the kills come before all of them.
    let usualMs = 20;
    for (let round = 0; round < kills; round += 1) {
      const asked = await Promise.all(
        groups.map(async (group) => {
          const body = { approvers: group.map(({ userId }) => userId), action: ACTION };
          const opened = await call('POST', '/v1/approvals', body);
          expect(opened.status, JSON.stringify(opened.body)).toBe(201);
          const approval = opened.body.approval as Approval;
          const proofs = await Promise.all(
            group.map(({ phone }) => proveDecision(clock, phone, { tenantId, approval })),
          );
          return { approval, group, proofs };
        }),
      );
      const acknowledged = new Set<string>();
      const startedAt = performance.now();
      const deciding = asked.flatMap(({ approval, group, proofs }) =>
        proofs.map((proof, at) =>
          decide(approval, proof).then(
            ({ status }) => {
              usualMs = performance.now() - startedAt;
              if (status === 200) acknowledged.add(group[at]?.userId as string);
            },
            () => undefined,
          ),
        ),
      );
      await sleep(random.between(usualMs / 4, usualMs * 1.5));
      running.kill('SIGKILL');
      await Promise.all([running.ended, ...deciding]);
      if (acknowledged.size === 0) usualMs *= 2;
      running = await startProcess(installed, env);
      await running.serving;
      for (const { approval, group, proofs } of asked) {
        const decided = await checkWhole(call, approval, group);
        for (const [at, { userId }] of group.entries()) {
          const isDecided = decided.includes(userId);
          if (acknowledged.has(userId)) expect(isDecided, `round ${round}`).toBe(true);
          else if (isDecided) report.unheard += 1;
          // The same request again is recorded only if the first was not.
          expect((await decide(approval, proofs[at] as object)).status).toBe(isDecided ? 409 : 200);
        }
        expect(await checkWhole(call, approval, group)).toHaveLength(group.length);
        const { body } = await call('GET', `/v1/approvals/${approval.id}/receipt`);
        expectWhole(body as Receipt);
        const used = { actionSha256: actionHash(ACTION) };
        expect((await call('POST', `/v1/approvals/${approval.id}/consume`, used)).status).toBe(200);
        report.approvals += 1;
      }
      report.acknowledged += acknowledged.size;
    }
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    return report;
  } finally {
    await endProcesses();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
