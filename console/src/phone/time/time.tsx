import { type MemberLinkCode, readAttendanceCode, readMemberLink } from '@svc/sdk/time';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { PhoneError } from '../language/messages';
import { t } from '../language/strings';
import { Actions, Screen } from '../parts/screen/screen';
import { IDENTITIES, type Identity, idOf, readIdentities } from '../vault/identities';
import { Attend } from './attend';
import { Member } from './member';
import { MyTime } from './my-time';
import { tt } from './texts';

export { TimeCard } from './time-card';
export { TimeChoice } from './time-choice';

/** A scanned code of a desk or of a member of the team, or the working time of an identity. */
export type TimeTask =
  | { readonly kind: 'attend' | 'member'; readonly code: string }
  | { readonly kind: 'time'; readonly id: string };

type View =
  | { readonly kind: 'attend'; readonly identity: Identity; readonly code?: string }
  | { readonly kind: 'month'; readonly identity: Identity }
  | { readonly kind: 'member'; readonly identity: Identity; readonly code: MemberLinkCode };

/** Comes and goes, and shows what is recorded. */
export function TimePart({
  task,
  onClose,
  onScan,
}: {
  readonly task: TimeTask;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) {
  const first = useQuery({
    queryKey: [...IDENTITIES, 'time', task],
    queryFn: async () => viewOf(task, await readIdentities()),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [later, setView] = useState<View>();
  const view = later ?? first.data;
  if (first.error)
    return (
      <Screen title={t.cannotUse}>
        <Failure error={first.error} />
        <Actions>
          <Button onClick={onClose}>{t.back}</Button>
          <Button look="primary" onClick={onScan}>
            {t.scanAnother}
          </Button>
        </Actions>
      </Screen>
    );
  if (view === undefined) return null;
  const { identity } = view;
  const onMonth = () => setView({ kind: 'month', identity });
  if (view.kind === 'month')
    return (
      <MyTime identity={identity} onClose={onClose} onPunch={() => setView({ kind: 'attend', identity })} />
    );
  if (view.kind === 'member') return <Member identity={identity} code={view.code} onClose={onClose} />;
  return <Attend identity={identity} code={view.code} onClose={onClose} onScan={onScan} onMonth={onMonth} />;
}

/** @throws PhoneError `malformed_payload`, `not_registered` */
function viewOf(task: TimeTask, identities: readonly Identity[]): View {
  if (task.kind === 'time') {
    const identity = identities.find(({ id }) => id === task.id);
    if (identity) return { kind: 'month', identity };
    throw new PhoneError('not_registered', t.errors.codes.not_registered);
  }
  if (task.kind === 'member') {
    const code = readMemberLink(task.code);
    if (code === undefined) throw new PhoneError('malformed_payload', t.errors.codes.malformed_payload);
    // Members are people of the live environment, if the phone has an identity there.
    const ofAccount = identities.filter(({ tenantId }) => tenantId === code.tenantId);
    const ofPeople = ofAccount.filter(({ environment }) => environment === 'live');
    const fitting = ofPeople.length > 0 ? ofPeople : ofAccount;
    return { kind: 'member', identity: usable(fitting, identities, t.errors.codes.not_registered), code };
  }
  const scanned = readAttendanceCode(task.code);
  if (scanned === undefined)
    throw new PhoneError('malformed_payload', t.errors.codes.attendance_code_invalid);
  const { code } = scanned;
  const fitting = identities.filter((identity) => idOf(identity) === idOf(scanned));
  return { kind: 'attend', identity: usable(fitting, identities, tt.attend.noIdentity), code };
}

/** The one to use of those that fit. @throws PhoneError `foreign_code`, or `not_registered` with that text if the phone has none at all */
function usable(fitting: readonly Identity[], all: readonly Identity[], none: string): Identity {
  const identity = fitting.find(({ confirmed }) => confirmed) ?? fitting[0];
  if (identity) return identity;
  if (all.length === 0) throw new PhoneError('not_registered', none);
  throw new PhoneError('foreign_code', tt.errors.foreign_code);
}
