import { type ReactNode, useState } from 'react';
import type { DeskService } from '../device/service';
import { begunRegistration } from '../flow/open-work';
import { type Ending, registering, retryOf, type Scene, signingIn } from '../flow/scene';
import { forgetLooks, type Health, useHealth } from '../flow/use-health';
import { useIdle } from '../flow/use-idle';
import { Frame, type Switching } from './frame';
import { OutOfOrder } from './outcomes/out-of-order';
import { Start } from './start';
import { StillThere } from './still-there';
import { useLater } from './use-later';

/** Without a touch for so long, nobody is there. */
const IDLE_SECONDS = 60;

/** A desk that is set up. */
export function Desk({
  service,
  switching,
  onFree,
  onLeft,
}: {
  readonly service: DeskService;
  readonly switching: Switching;
  /** Nobody is here any more. */
  readonly onFree: () => void;
  readonly onLeft: () => void;
}) {
  const [scene, setScene] = useState(firstScene);
  const [hasMenu, setMenu] = useState(false);
  const health = useHealth(service, scene.at === 'start');
  const later = useLater();
  const { profile } = health;
  const brand = profile && { company: profile.name, ...profile };
  const free = () => {
    setScene({ at: 'start' });
    onFree();
  };
  return (
    <>
      <Frame
        brand={brand}
        isTest={service.device.environment === 'test'}
        switching={switching}
        onMenu={() => setMenu(true)}
      >
        <CurrentScene {...{ scene, setScene, free, service, health, later }} />
      </Frame>
      {hasMenu && later && (
        <later.Menu
          device={service.device}
          onClose={() => setMenu(false)}
          onLeft={() => {
            forgetLooks();
            onLeft();
          }}
        />
      )}
    </>
  );
}

/** A person whose phone had begun when the tablet lost power still stands here. */
function firstScene(): Scene {
  const found = begunRegistration();
  return found ? { at: 'found', found } : { at: 'start' };
}

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
    case 'person':
      return (
        <Idle onIdle={free}>
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
      const onDone = (name: string | null) => setScene({ at: 'done', how: 'registered', name });
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
    />
  );
}

function Idle({ onIdle, children }: { readonly onIdle: () => void; readonly children: ReactNode }) {
  const left = useIdle(IDLE_SECONDS, 'form', onIdle);
  return (
    <>
      {children}
      <StillThere left={left} />
    </>
  );
}
