import { isSvcError, type RegistrationSession, type SvcStaff } from '@svc/sdk';
import { useEffect, useRef, useState } from 'react';
import { detailsOf } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { serverNow } from '../../ui/server-time';
import { isOffline } from '../device/problem';
import type { DeskService } from '../device/service';
import { profileOf } from '../flow/contact';
import { onTouch } from '../flow/use-idle';
import { useStaffTexts } from '../language/staff';
import { PersonForm } from '../views/forms/person-form';
import { Idle } from '../views/idle';
import { RegisteringScene } from '../views/with-phone/registering';
import { FindPerson } from './find-person';
import { HowKnown } from './how-known';
import { LostPhone, PhoneLocked } from './lost-phone';
import { Presence } from './presence';
import { Registered } from './registered';
import { type How, nameOf, type Registrant, type StaffScene } from './scene';
import style from './staff.module.css';
import { Tasks } from './tasks';

/** A touch after so long sends a request, because the service counts requests and not touches. */
const STAY_MS = 60_000;

/** A code that nobody has scanned goes after so long, as it does when people register by themselves. */
const CODE_IDLE_SECONDS = 60;

type Fault = keyof ReturnType<typeof useStaffTexts>['work']['faults'];

/** Sends what a member asks for. Undefined if it failed, which is shown unless `handle` has dealt with it. */
export type Ask = <T>(
  work: (staff: SvcStaff) => Promise<T>,
  handle?: (error: unknown) => boolean,
) => Promise<T | undefined>;

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
  const [fault, setFault] = useState<Fault>();
  const askedAt = useRef(serverNow());
  const setScene = (next: StaffScene) => {
    setFault(undefined);
    show(next);
  };
  const home = () => setScene({ at: 'home' });
  const ask: Ask = async (work, handle) => {
    askedAt.current = serverNow();
    setFault(undefined);
    try {
      return await work(staff);
    } catch (error) {
      if (isSvcError(error, 'staff_session_invalid', 'device_session_invalid')) onOver();
      else if (!handle?.(error)) setFault(faultOf(error));
      return undefined;
    }
  };
  const stay = useRef(() => {});
  stay.current = () => {
    if (serverNow() - askedAt.current > STAY_MS) void ask((it) => it.presence());
  };
  useEffect(() => onTouch(() => stay.current()), []);
  // A code stays on the screen, because a person may be scanning it.
  useEnd(staff.endsAt, scene.at !== 'code', onOver);

  const register = async (registrant: Registrant, how: How) => {
    const isNew = 'person' in registrant;
    const whom = isNew ? { profile: profileOf(registrant.person) } : { userId: registrant.found.id };
    const opened = await ask(
      (it) => it.register({ how, ...whom }),
      (error) => {
        if (!isNew || !isOfProfile(error)) return false;
        setScene({ at: 'new', person: registrant.person, error });
        return true;
      },
    );
    if (opened) setScene({ at: 'code', registrant, how, opened });
  };
  if (scene.at === 'code') {
    const { registrant, how, opened } = scene;
    return (
      <RegisteringScene
        key={opened.session.id}
        service={service}
        subject={{ opened }}
        idleSeconds={CODE_IDLE_SECONDS}
        onDone={(session) => setScene(doneOf(nameOf(registrant), session))}
        onAgain={() => void register(registrant, how)}
        onEnded={() => setScene({ at: 'how', registrant })}
        onError={(error) => {
          home();
          setFault(faultOf(error));
        }}
        onLeave={home}
      />
    );
  }
  return (
    <Idle seconds={staff.idleSeconds} name={scene.at} onIdle={onOver}>
      <div className={style.room}>
        {current()}
        {fault && <Notice tone="bad">{t.faults[fault]}</Notice>}
      </div>
    </Idle>
  );

  function current() {
    switch (scene.at) {
      case 'home':
        return <Tasks setScene={setScene} />;
      case 'find':
        return <FindPerson purpose={scene.purpose} {...{ ask, setScene, home }} />;
      case 'new':
        return (
          <PersonForm
            title={t.newPerson}
            person={scene.person}
            error={scene.error}
            onSend={(person) => setScene({ at: 'how', registrant: { person } })}
            onBack={() => setScene({ at: 'find', purpose: 'register' })}
          />
        );
      case 'how': {
        const { registrant } = scene;
        return (
          <HowKnown
            name={nameOf(registrant)}
            onChoose={(how) => register(registrant, how)}
            onBack={() => setScene({ at: 'find', purpose: 'register' })}
          />
        );
      }
      case 'phones':
        return <LostPhone person={scene.person} {...{ ask, setScene, home }} />;
      case 'locked':
        return <PhoneLocked person={scene.person} {...{ setScene, home }} />;
      case 'registered':
        return <Registered scene={scene} onDone={home} />;
      case 'presence':
        return <Presence ask={ask} onBack={home} />;
      case 'code':
        return null;
    }
  }
}

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

const isOfProfile = (error: unknown): boolean =>
  detailsOf(error).some(({ path }) => path.startsWith('body.profile'));

function faultOf(error: unknown): Fault {
  if (isSvcError(error, 'rate_limit_exceeded')) return 'busy';
  if (isSvcError(error, 'identity_limit_reached')) return 'limit';
  if (isSvcError(error, 'user_not_found', 'user_erased', 'identity_not_found')) return 'gone';
  return isOffline(error) ? 'offline' : 'unexpected';
}

const doneOf = (name: string, session: RegistrationSession | undefined): StaffScene => ({
  at: 'registered',
  name,
  worksAt: session?.state === 'pending_recovery' ? (session.completes_at ?? undefined) : undefined,
  waits: session?.state === 'pending_recovery',
});
