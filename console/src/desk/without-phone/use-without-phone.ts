import { useState } from 'react';
import { type Act, whatOf } from '../clock/acts';
import type { DeskService } from '../device/service';
import { type Fault, faultOf, type Known } from './known';

/** Goes on with the PIN that was changed. */
type Next = (known: Known) => void;

/** What is asked. */
export type Step =
  | { readonly at: 'number' | 'pin' | 'act' | 'month' }
  | { readonly at: 'new-pin' | 'repeat'; readonly newPin?: string; readonly next: Next }
  | { readonly at: 'done'; readonly act: Act; readonly time: string };

/** Sends what the person asks for. Undefined if it failed, which is then shown. */
export type Ask = <T>(known: Known, work: (known: Known) => Promise<T>, next: Next) => Promise<T | undefined>;

const NOBODY: Known = { number: '', pin: '' };

/** What somebody without a phone has typed, and what becomes of it. */
export function useWithoutPhone(service: DeskService) {
  const [known, setKnown] = useState(NOBODY);
  const [step, setStep] = useState<Step>({ at: 'number' });
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const go = (next: Step, why?: Fault) => {
    setFault(why);
    setStep(next);
  };
  const ask: Ask = async (as, work, next) => {
    setBusy(true);
    setFault(undefined);
    try {
      return await work(as);
    } catch (error) {
      const found = faultOf(error);
      if (found === 'change') go({ at: 'new-pin', next });
      else if (found.kind === 'wrong' || found.kind === 'locked') go({ at: 'pin' }, found);
      else setFault(found);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const declare = async (as: Known, act: Act) => {
    const send = (sent: Known) =>
      service.run((svc) => svc.request('declareAttendance', { body: { ...sent, ...whatOf(act) } }));
    const declared = await ask(as, send, (next) => void declare(next, act));
    if (declared) go({ at: 'done', act, time: declared.attendance.occurredAt });
  };
  const changePin = async (newPin: string, next: Next) => {
    const send = (sent: Known) =>
      service.run((svc) => svc.request('changeAttendancePin', { body: { ...sent, newPin } }));
    // The fault is shown where a new one is typed.
    if (!(await ask(known, send, next)))
      return setStep((now) => (now.at === 'repeat' ? { at: 'new-pin', next } : now));
    const as = { ...known, pin: newPin };
    setKnown(as);
    go({ at: 'act' });
    return next(as);
  };
  return { known, setKnown, step, go, fault, isBusy, ask, declare, changePin };
}

export type WithoutPhoneFlow = ReturnType<typeof useWithoutPhone>;
