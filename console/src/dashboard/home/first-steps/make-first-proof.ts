import { SvcError } from '@svc/sdk';
import { svc } from '../../operations/api';
import { wholeSvc } from '../../operations/whole-svc';
import type { PhoneReply, PhoneResults, PhoneWork } from './prove.worker';

export interface FirstProof {
  readonly verificationId: string | undefined;
  /** How long the proof itself took. */
  readonly provedMs: number;
}

export type Stage = 'registering' | 'proving';

const environment = 'test';

/** Registers a person of the test environment with a phone in this browser, and signs them in with a proof. */
export async function makeFirstProof(onStage: (stage: Stage) => void): Promise<FirstProof> {
  const phone = startPhone();
  try {
    onStage('registering');
    const body = { profile: { fullName: 'Ada Example' } };
    const { pair } = await svc.request('createRegistration', { query: { environment }, body });
    const { userId } = await phone.ask({ kind: 'register', deeplink: pair.deeplink });
    onStage('proving');
    const { qrPayload, matchCode } = await wholeSvc.console.pairing(environment).create();
    const { ms } = await phone.ask({ kind: 'prove', code: qrPayload, matchCode });
    const query = { environment, userId, limit: 1 } as const;
    const { verifications } = await svc.request('listVerifications', { query });
    return { verificationId: verifications[0]?.id, provedMs: ms };
  } finally {
    phone.end();
  }
}

function startPhone() {
  const worker = new Worker(new URL('./prove.worker.ts', import.meta.url), { type: 'module' });
  const crashed = new Promise<never>((_, reject) => {
    worker.onerror = () =>
      reject(new Error('The prover did not start. Check your connection and try again.'));
  });
  // It may crash while no work waits for it. The next work then fails.
  crashed.catch(() => undefined);
  const replied = <W extends PhoneWork>(work: W) =>
    new Promise<PhoneResults[W['kind']]>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<PhoneReply>) =>
        'failed' in data
          ? reject(data.code ? new SvcError(data.code, data.failed) : new Error(data.failed))
          : resolve(data.result as PhoneResults[W['kind']]);
      worker.postMessage(work);
    });
  return {
    ask: <W extends PhoneWork>(work: W) => Promise.race([crashed, replied(work)]),
    end: () => worker.terminate(),
  };
}
