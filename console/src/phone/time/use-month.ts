import type { Stage } from '@svc/sdk/phone';
import {
  type Correction,
  type CorrectionWish,
  contestAttendance,
  decideCorrection,
  type OwnMonth,
  type OwnRow,
  type PunchReceipt,
  prepareCorrection,
  proposeCorrection,
  readMonth,
  setAttendancePin,
  takingBack,
} from '@svc/sdk/time';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isRetryable } from '../language/messages';
import { useWork } from '../parts/use-work';
import { phoneWith, type ThisPhone } from '../ports/ports';
import { type Identity, idOf } from '../vault/identities';
import { forgetLast, keep, readKept, readReceipts, TIME } from './kept';
import { inWords } from './texts';

/** What a person does about a month. */
export type MonthAct =
  | { readonly kind: 'contest' | 'takeBack'; readonly row: OwnRow }
  | { readonly kind: 'decide'; readonly correction: Correction; readonly decision: 'agree' | 'contest' }
  | { readonly kind: 'propose'; readonly wish: CorrectionWish; readonly userId: string }
  | { readonly kind: 'pin'; readonly pin: string };

interface Watch {
  readonly signal: AbortSignal;
  onStage(stage: Stage): void;
}

/** A month, read with a proof, and what the person does about it. After each act it is read again, without another unlocking. */
export function useMonth(identity: Identity, month: string) {
  const queries = useQueryClient();
  const [stage, setStage] = useState<Stage>();
  const queryKey = ['month', identity.id, month];
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => readAndKeep(phoneWith(), identity, month, { signal, onStage: setStage }),
    // Each read asks the person to unlock the phone.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const act = useWork<Stage, true, MonthAct>(async (watch, what) => {
    const phone = phoneWith();
    try {
      await perform(phone, identity, what, watch);
    } catch (error) {
      throw inWords(error);
    }
    queries.setQueryData(queryKey, await readAndKeep(phone, identity, month, watch));
    await queries.invalidateQueries({ queryKey: TIME });
    return true;
  });
  const { error, variables } = act;
  const again = variables && isRetryable(error) ? () => act.mutate(variables) : undefined;
  return { read, stage, act: { ...act, again } };
}

/** What the person does about the month, and how to try it again if that can help. */
export type MonthWork = ReturnType<typeof useMonth>['act'];

async function perform(phone: ThisPhone, identity: Identity, act: MonthAct, watch: Watch): Promise<void> {
  const { id } = identity;
  switch (act.kind) {
    case 'decide':
      await decideCorrection(phone, id, act.correction, act.decision, watch);
      return;
    case 'contest':
      await contestAttendance(phone, id, act.row.attendance.id, watch);
      return;
    case 'pin':
      await setAttendancePin(phone, id, act.pin, watch);
      return;
    case 'propose': {
      const { wish, userId } = act;
      await proposeCorrection(
        phone,
        id,
        await prepareCorrection(phone, id, { ...wish, userId }, watch),
        watch,
      );
      return;
    }
    case 'takeBack': {
      const { attendance } = act.row;
      const wish = { userId: attendance.userId, ...takingBack(attendance) };
      const shown = await prepareCorrection(phone, id, wish, watch);
      const { state } = await proposeCorrection(phone, id, shown, watch);
      if (state === 'agreed') await forgetLast(identity, attendance.id);
    }
  }
}

/** What was read, with all receipts of the place for an export. */
export type ReadMonth = OwnMonth & { readonly receipts: readonly PunchReceipt[] };

async function readAndKeep(
  phone: ThisPhone,
  identity: Identity,
  month: string,
  watch: Watch,
): Promise<ReadMonth> {
  try {
    const kept = (await readKept()).find(({ id }) => id === idOf(identity));
    const receipts = await readReceipts(identity);
    const read = await readMonth(phone, identity.id, month, { tree: kept?.tree, receipts }, watch);
    if (read.tree) await keep(identity, { tree: read.tree });
    return { ...read, receipts };
  } catch (error) {
    throw inWords(error);
  }
}
