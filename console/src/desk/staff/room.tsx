import type { RegistrationSession, SvcStaff } from '@svc/sdk';
import { useEffect, useRef, useState } from 'react';
import { detailsOf } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { serverNow } from '../../ui/server-time';
import type { DeskService } from '../device/service';
import { profileOf } from '../flow/contact';
import { useStaffTexts } from '../language/staff';
import { Idle } from '../views/idle';
import { RegisteringScene } from '../views/with-phone/registering';
import { type How, nameOf, type Registrant, type StaffScene } from './scene';
import style from './staff.module.css';
import { Step } from './step';
import { type Ask, type Fault, faultOf, useAsk } from './use-ask';

/** The service ends it after a while without a request. The last touch may have sent none. */
const SPARE_SECONDS = 15;

/** What a member does at the desk, until they leave or their time is over. */
export function StaffRoom({
  service,
  staff,
  hasTime,
  onOver,
}: {
  readonly service: DeskService;
  readonly staff: SvcStaff;
  /** Whether people clock in here. */
  readonly hasTime: boolean;
  /** `isTold`: the member may still be here, and hears that it is over. */
  readonly onOver: (isTold: boolean) => void;
}) {
  const { work: t } = useStaffTexts();
  const [scene, show] = useState<StaffScene>({ at: 'home' });
  // A code stays on the screen, because a person may be scanning it. So does what becomes of it.
  const isStaying = scene.at === 'code' || scene.at === 'registered';
  const { ask, fault, setFault } = useAsk(staff, !isStaying, () => onOver(true));
  const setScene = (next: StaffScene) => {
    setFault(undefined);
    show(next);
  };
  useEnd(staff.endsAt, !isStaying, () => onOver(true));
  const isOpening = useRef(false);
  const shown = useRef(scene);
  shown.current = scene;
  const register = async (registrant: Registrant, how: How) => {
    if (isOpening.current) return;
    isOpening.current = true;
    const from = shown.current;
    const next = await opened(ask, registrant, how);
    isOpening.current = false;
    // The member may have gone on to somebody else, who must not get this code.
    if (shown.current !== from) return;
    // With what went wrong.
    if (next === undefined) show({ at: 'how', registrant });
    else setScene(next);
  };
  const again = (registrant: Registrant, why: Fault) => {
    show({ at: 'how', registrant });
    setFault(why);
  };
  if (scene.at === 'code') {
    const { registrant, how, opened: registration } = scene;
    return (
      <RegisteringScene
        key={registration.session.id}
        service={service}
        subject={{ opened: registration }}
        idleSeconds={staff.idleSeconds}
        onDone={(session) => setScene(doneOf(nameOf(registrant), session))}
        onAgain={() => void register(registrant, how)}
        onEnded={() => again(registrant, 'ended')}
        onError={(error) => again(registrant, faultOf(error))}
        onLeave={() => setScene({ at: 'home' })}
        onIdle={() => onOver(false)}
      />
    );
  }
  return (
    <Idle seconds={staff.idleSeconds - SPARE_SECONDS} name={scene.at} onIdle={() => onOver(false)}>
      <div className={style.room}>
        <Step {...{ scene, ask, setScene, hasTime }} onRegister={register} />
        {fault && <Notice tone="bad">{t.faults[fault]}</Notice>}
      </div>
    </Idle>
  );
}

/** Opens a registration. What the service says about somebody new is shown where it was typed. */
async function opened(ask: Ask, registrant: Registrant, how: How): Promise<StaffScene | undefined> {
  const isNew = 'person' in registrant;
  const subject = isNew ? { profile: profileOf(registrant.person) } : { userId: registrant.found.id };
  let again: StaffScene | undefined;
  const registration = await ask(
    (staff) => staff.register({ how, ...subject }),
    (error) => {
      if (isNew && isOfProfile(error)) again = { at: 'new', person: registrant.person, error };
      return again !== undefined;
    },
  );
  return registration ? { at: 'code', registrant, how, opened: registration } : again;
}

const isOfProfile = (error: unknown): boolean =>
  detailsOf(error).some(({ path }) => path.startsWith('body.profile'));

/** Ends it when its time is over, as soon as it may. */
function useEnd(endsAt: number, mayEnd: boolean, onOver: () => void): void {
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    if (!mayEnd) return;
    const timer = setTimeout(() => over.current(), Math.max(0, endsAt - serverNow()));
    return () => clearTimeout(timer);
  }, [endsAt, mayEnd]);
}

const doneOf = (name: string, session: RegistrationSession | undefined): StaffScene => ({
  at: 'registered',
  name,
  waits: session?.state === 'pending_recovery',
  worksAt: session?.state === 'pending_recovery' ? (session.completes_at ?? undefined) : undefined,
});
