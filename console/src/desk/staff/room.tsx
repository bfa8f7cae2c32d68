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
import { type Ask, faultOf, useAsk } from './use-ask';

/** A code that nobody has scanned goes after so long, as it does when people register by themselves. */
const CODE_IDLE_SECONDS = 60;

/** What a member does at the desk, until they leave or their time is over. */
export function StaffRoom({
  service,
  staff,
  onOver,
}: {
  readonly service: DeskService;
  readonly staff: SvcStaff;
  readonly onOver: () => void;
}) {
  const { work: t } = useStaffTexts();
  const [scene, show] = useState<StaffScene>({ at: 'home' });
  const { ask, fault, setFault } = useAsk(staff, onOver);
  const setScene = (next: StaffScene) => {
    setFault(undefined);
    show(next);
  };
  // A code stays on the screen, because a person may be scanning it. So does what becomes of it.
  useEnd(staff.endsAt, scene.at !== 'code' && scene.at !== 'registered', onOver);
  const register = async (registrant: Registrant, how: How) => {
    const next = await opened(ask, registrant, how);
    if (next) setScene(next);
  };
  if (scene.at === 'code') {
    const { registrant, how, opened: registration } = scene;
    return (
      <RegisteringScene
        key={registration.session.id}
        service={service}
        subject={{ opened: registration }}
        idleSeconds={CODE_IDLE_SECONDS}
        onDone={(session) => setScene(doneOf(nameOf(registrant), session))}
        onAgain={() => void register(registrant, how)}
        onEnded={() => setScene({ at: 'how', registrant })}
        onError={(error) => {
          setScene({ at: 'how', registrant });
          setFault(faultOf(error));
        }}
        onLeave={() => setScene({ at: 'home' })}
      />
    );
  }
  return (
    <Idle seconds={staff.idleSeconds} name={scene.at} onIdle={onOver}>
      <div className={style.room}>
        <Step scene={scene} ask={ask} setScene={setScene} onRegister={register} />
        {fault && <Notice tone="bad">{t.faults[fault]}</Notice>}
      </div>
    </Idle>
  );
}

/** Opens a registration. What the service says about somebody new is shown where it was typed. */
async function opened(ask: Ask, registrant: Registrant, how: How): Promise<StaffScene | undefined> {
  const isNew = 'person' in registrant;
  const whom = isNew ? { profile: profileOf(registrant.person) } : { userId: registrant.found.id };
  let again: StaffScene | undefined;
  const registration = await ask(
    (staff) => staff.register({ how, ...whom }),
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
