import type { Identity } from '../identities/identity';
import { withKeyInForce } from '../identities/in-force';
import { createUse, proveToSend, type SendWatch } from '../prover/prove-to-send';
import { svc } from '../service';

/** The browsers that are known to the person, the last one used first. */
export type Browsers = Awaited<ReturnType<typeof svc.phone.browsers.list>>;
export type KnownBrowser = Browsers[number];

/** Proves that this phone is the person's, and reads their browsers. */
export const readBrowsers = (identity: Identity, watch: SendWatch): Promise<Browsers> => {
  watch.onStage('unlocking');
  return withKeyInForce(identity, async (version, key) => {
    const use = await createUse(version, watch);
    const proof = await proveToSend({ kind: 'browsers', key, identity: version, use }, watch);
    return svc.phone.browsers.list(proof, { signal: watch.signal });
  });
};

/** @throws SvcError `browser_not_found` if it was forgotten before */
export const forgetBrowser = async (
  identity: Identity,
  browserId: string,
  watch: SendWatch,
): Promise<void> => {
  watch.onStage('unlocking');
  await withKeyInForce(identity, async (version, key) => {
    const use = await createUse(version, watch);
    const work = { kind: 'forget-browser', key, identity: version, use, browserId } as const;
    return svc.phone.browsers.forget(await proveToSend(work, watch));
  });
};
