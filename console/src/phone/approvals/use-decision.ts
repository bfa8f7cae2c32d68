import { isSvcError } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { APPROVALS } from '../history/approvals';
import { IDENTITIES } from '../identities/identity';
import { useForget } from '../inbox/use-inbox';
import type { Waiting } from '../inbox/waiting';
import type { SendStage } from '../prover/prove-to-send';
import { useWork } from '../use-work';
import { type Choice, type Decided, decideAndRecord } from './decide';

/** Sends a decision, keeps it in the history, and counts wrong numbers. */
export function useDecision(waiting: Waiting) {
  const queries = useQueryClient();
  const forget = useForget();
  const [wrongNumbers, setWrongNumbers] = useState(0);
  const work = useWork<SendStage, { readonly choice: Choice; readonly decided: Decided }, Choice>(
    async (watch, choice) => {
      try {
        const decided = await decideAndRecord(waiting, choice, watch);
        forget(waiting.statement.approvalId);
        await queries.invalidateQueries({ queryKey: IDENTITIES });
        return { choice, decided };
      } catch (error) {
        if (isSvcError(error, 'pairing_match_failed')) setWrongNumbers((before) => before + 1);
        if (isSvcError(error, 'approval_closed')) forget(waiting.statement.approvalId);
        throw error;
      } finally {
        await queries.invalidateQueries({ queryKey: APPROVALS });
      }
    },
  );
  return { ...work, wrongNumbers };
}
