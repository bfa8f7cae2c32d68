import { type DecidedApproval, isSvcError } from '@svc/sdk';
import type { Choice, Stage } from '@svc/sdk/phone';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForget, type Waiting } from '../inbox/inbox';
import { useWork } from '../parts/use-work';
import { HISTORY } from '../vault/history';
import { IDENTITIES } from '../vault/identities';
import { decideAndRecord } from './decide';

/** Sends a decision, keeps it in the history, and counts wrong numbers. */
export function useDecision(waiting: Waiting) {
  const queries = useQueryClient();
  const forget = useForget();
  const [wrongNumbers, setWrongNumbers] = useState(0);
  const work = useWork<Stage, { readonly choice: Choice; readonly decided: DecidedApproval }, Choice>(
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
        await queries.invalidateQueries({ queryKey: HISTORY });
      }
    },
  );
  return { ...work, wrongNumbers };
}
