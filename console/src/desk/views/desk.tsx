import type { RegistrationSession, SvcStaff } from '@svc/sdk';
import { useState } from 'react';
import { isOnlyClock, keepOnlyClock } from '../device/kept-mode';
import type { DeskService } from '../device/service';
import { begunRegistration } from '../flow/open-work';
import { type Ending, homeScene, registering, retryOf, type Scene, signingIn } from '../flow/scene';
import { forgetLooks, type Health, useHealth } from '../flow/use-health';
import { useIdle } from '../flow/use-idle';
import { Frame, type OnLanguage } from './frame';
import { Idle } from './idle';
import { OutOfOrder } from './outcomes/out-of-order';
import { Start } from './start';
import { useLater } from './use-later';

/** Without a touch for so long, nobody is there. */
const IDLE_SECONDS = 60;

/** A desk that is set up. */
export function Desk({
  service,
  onLanguage,
  onFree,
  onLeft,
}: {
  readonly service: DeskService;
  readonly onLanguage: OnLanguage;
  /** Nobody is here any more. */
  readonly onFree: () => void;
  readonly onLeft: () => void;
}) {
  const [scene, setScene] = useState(firstScene);
  const [hasMenu, setMenu] = useState(false);
  const [staff, setStaff] = useState<SvcStaff>();
  const [isStaffOver, setStaffOver] = useState(false);
  const health = useHealth(service, isFree(scene) && staff === undefined);
  const later = useLater();
  const { profile } = health;
  const brand = profile && { company: profile.name, ...profile };
  const free = () => {
    setScene(homeScene());
    onFree();
  };
  const begin = (started: SvcStaff) => {
    // In the language that the member has chosen.
    setScene(homeScene());
    setMenu(false);
    setStaff(started);
  };
  const end = (isTold: boolean) => {
    // It ends by itself if nobody hears this.
    void staff?.end().catch(() => {});
    setStaff(undefined);
    setStaffOver(isTold);
    free();
  };
  const below = ({ StaffBar, StaffOver }: NonNullable<typeof later>) =>
    staff ? (
      <StaffBar staff={staff} onEnd={() => end(false)} />
    ) : (
      isStaffOver && <StaffOver onGone={() => setStaffOver(false)} />
    );
  return (
    <>
      <Frame
        brand={brand}
        isTest={service.device.environment === 'test'}
        onLanguage={onLanguage}
        {...(staff === undefined && { onMenu: () => setMenu(true) })}
        below={later && below(later)}
      >
        {staff && later ? (
          <later.StaffRoom
            key={staff.endsAt}
            {...{ service, staff }}
            hasTime={profile?.hasSites === true}
            onOver={end}
          />
        ) : (
          <CurrentScene {...{ scene, setScene, free, service, health, later }} />
        )}
      </Frame>
      {hasMenu && later && (
        <later.Menu
          service={service}
          onClose={() => setMenu(false)}
          onStarted={begin}
          onLeft={() => {
            forgetLooks();
            keepOnlyClock(false);
            onLeft();
          }}
        />
      )}
    </>
  );
}

/** Whether nobody is in the middle of something. */
const isFree = ({ at }: Scene): boolean => at === 'start' || at === 'clock';

/** A person whose phone had begun when the tablet lost power still stands here. */
function firstScene(): Scene {
  const found = begunRegistration();
  return found ? { at: 'found', found } : homeScene();
}

/** A new phone that waits for its recovery shows that itself. It can't sign in here yet. */
const afterRegistration = (session: RegistrationSession | undefined): Scene =>
  session?.state === 'pending_recovery'
    ? homeScene()
    : { at: 'done', how: 'registered', name: (session?.profile?.fullName ?? null) as string | null };

interface Showing {
  readonly scene: Scene;
  readonly setScene: (scene: Scene) => void;
  readonly free: () => void;
  readonly service: DeskService;
  readonly health: Health;
  readonly later: ReturnType<typeof useLater>;
}

function CurrentScene({ scene, setScene, free, service, health, later }: Showing) {
  const ended = (how: Ending) => setScene({ at: 'ended', how, again: scene });
  const failed = (error: unknown) => later && setScene(later.afterError(scene, error));
  const common = { service, idleSeconds: IDLE_SECONDS, onEnded: ended, onError: failed, onLeave: free };
  if (scene.at === 'start') return <Free health={health} setScene={setScene} free={free} />;
  if (later === undefined) return null;
  switch (scene.at) {
    case 'clock': {
      const onBack = isOnlyClock() ? undefined : free;
      return <later.ClockScene {...{ service, onBack }} idleSeconds={IDLE_SECONDS} onIdle={free} />;
    }
    case 'person':
      return (
        <Idle seconds={IDLE_SECONDS} name="form" onIdle={free}>
          <later.PersonForm
            person={scene.person}
            error={scene.error}
            onSend={(person) => setScene(registering(person))}
            onBack={free}
          />
        </Idle>
      );
    case 'registering':
    case 'found': {
      const onDone = (session: RegistrationSession | undefined) => setScene(afterRegistration(session));
      const onAgain = scene.at === 'registering' ? () => setScene(retryOf(scene)) : undefined;
      const key = scene.at === 'registering' ? scene.attempt : scene.at;
      return (
        <later.RegisteringScene key={key} subject={scene} onDone={onDone} onAgain={onAgain} {...common} />
      );
    }
    case 'signing-in': {
      const onDone = (name: string | null) => setScene({ at: 'done', how: 'signed-in', name });
      return <later.SigningIn key={scene.attempt} onDone={onDone} {...common} />;
    }
    case 'done': {
      const { how, name } = scene;
      const onAnother = () => setScene(how === 'registered' ? { at: 'person' } : signingIn());
      return (
        <later.Done how={how} name={name} idleSeconds={IDLE_SECONDS} onAnother={onAnother} onStart={free} />
      );
    }
    case 'ended': {
      const onAgain = () => setScene(retryOf(scene.again));
      return <later.Ended how={scene.how} idleSeconds={IDLE_SECONDS} onAgain={onAgain} onStart={free} />;
    }
    case 'problem':
      return <later.Failed {...{ scene, setScene, free }} idleSeconds={IDLE_SECONDS} />;
  }
}

/** Between two people. */
function Free({ health, setScene, free }: Pick<Showing, 'health' | 'setScene' | 'free'>) {
  // Somebody may only have switched the language.
  useIdle(IDLE_SECONDS, 'start', free);
  if (health.problem) return <OutOfOrder problem={health.problem} />;
  return (
    <Start
      company={health.profile?.name}
      onRegister={() => setScene({ at: 'person' })}
      onSignIn={() => setScene(signingIn())}
      onClock={health.profile?.hasSites ? () => setScene({ at: 'clock' }) : undefined}
    />
  );
}
