import { isSvcError } from '@svc/sdk';
import type { Stage } from '@svc/sdk/phone';
import { type Punch, type PunchReceipt, punch } from '@svc/sdk/time';
import { useQueryClient } from '@tanstack/react-query';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import { IDENTITIES, type Identity } from '../vault/identities';
import { keep, keepReceipt, TIME } from './kept';
import { inWords } from './texts';

/** Sends a punch and keeps it until its receipt is there, so that the same can be sent again. */
export function usePunch(identity: Identity) {
  const queries = useQueryClient();
  return useWork<Stage, PunchReceipt, Punch>(async (watch, prepared) => {
    let isSent = false;
    const onStage = (stage: Stage) => {
      isSent ||= stage === 'sending';
      watch.onStage(stage);
    };
    try {
      await keep(identity, { unanswered: prepared });
      const receipt = await punch(phoneWith(), identity.id, prepared, { signal: watch.signal, onStage });
      await keepReceipt(identity, receipt);
      return receipt;
    } catch (error) {
      // Nothing was sent, or the service answered that it recorded nothing.
      if (!isSent || isRefusal(error)) await keep(identity, { unanswered: undefined });
      throw inWords(error);
    } finally {
      await queries.invalidateQueries({ queryKey: TIME });
      await queries.invalidateQueries({ queryKey: IDENTITIES });
    }
  });
}

const isRefusal = (error: unknown): boolean =>
  isSvcError(error) && error.status !== undefined && error.status < 500;
