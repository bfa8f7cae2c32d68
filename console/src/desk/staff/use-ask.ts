import { isSvcError, type SvcStaff } from '@svc/sdk';
import { useEffect, useRef, useState } from 'react';
import { serverNow } from '../../ui/server-time';
import { isOffline } from '../device/problem';
import { onTouch } from '../flow/use-idle';

/** A touch after so long sends a request, because the service counts requests and not touches. */
const STAY_MS = 10_000;

export type Fault = 'busy' | 'full' | 'notAllowed' | 'limit' | 'gone' | 'ended' | 'offline' | 'unexpected';

/** Sends what a member asks for. Undefined if it failed, which is shown unless `handle` has dealt with it. */
export type Ask = <T>(
  work: (staff: SvcStaff) => Promise<T>,
  handle?: (error: unknown) => boolean,
) => Promise<T | undefined>;

export interface Asking {
  readonly ask: Ask;
  /** Why the last one failed. */
  readonly fault: Fault | undefined;
  readonly setFault: (fault: Fault | undefined) => void;
}

/** What a member asks of the service, until it says that they have left. `staysByTouch`: a touch says that they are here. */
export function useAsk(staff: SvcStaff, staysByTouch: boolean, onOver: () => void): Asking {
  const [fault, setFault] = useState<Fault>();
  const askedAt = useRef(serverNow());
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  /** Whether the service says that they have left. Somebody else may be here by then. */
  const isEnd = (error: unknown): boolean => {
    const isOver = isSvcError(error, 'staff_session_invalid', 'device_session_invalid');
    if (isOver && isHere.current) onOver();
    return isOver;
  };
  const ask: Ask = async (work, handle) => {
    askedAt.current = serverNow();
    setFault(undefined);
    try {
      return await work(staff);
    } catch (error) {
      if (!isEnd(error) && isHere.current && !handle?.(error)) setFault(faultOf(error));
      return undefined;
    }
  };
  const stay = useRef(() => {});
  stay.current = () => {
    if (!staysByTouch || serverNow() - askedAt.current <= STAY_MS) return;
    askedAt.current = serverNow();
    staff.presence().catch(isEnd);
  };
  useEffect(() => onTouch(() => stay.current()), []);
  return { ask, fault, setFault };
}

export function faultOf(error: unknown): Fault {
  if (isSvcError(error, 'rate_limit_exceeded')) return 'busy';
  if (isSvcError(error, 'monthly_quota_exceeded')) return 'full';
  if (isSvcError(error, 'tenant_inactive', 'role_insufficient')) return 'notAllowed';
  if (isSvcError(error, 'identity_limit_reached')) return 'limit';
  if (isSvcError(error, 'user_not_found', 'user_erased', 'identity_not_found')) return 'gone';
  return isOffline(error) ? 'offline' : 'unexpected';
}
