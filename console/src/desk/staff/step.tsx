import { useStaffTexts } from '../language/staff';
import { PersonForm } from '../views/forms/person-form';
import { ClockSomebody } from './clock-somebody';
import { Clocked } from './clocked';
import { FindPerson } from './find-person';
import { GivePin, ShownPin } from './give-pin';
import { HowKnown } from './how-known';
import { LostPhone, PhoneLocked } from './lost-phone';
import { Presence } from './presence';
import { Registered } from './registered';
import type { How, Registrant, StaffScene } from './scene';
import { Tasks } from './tasks';
import type { Ask } from './use-ask';

/** What is shown without a phone. */
export function Step({
  scene,
  ask,
  setScene,
  hasTime,
  onRegister,
}: {
  readonly scene: Exclude<StaffScene, { at: 'code' }>;
  readonly ask: Ask;
  readonly setScene: (scene: StaffScene) => void;
  readonly hasTime: boolean;
  readonly onRegister: (registrant: Registrant, how: How) => Promise<void>;
}) {
  const { newPerson } = useStaffTexts().work;
  const home = () => setScene({ at: 'home' });
  const find = () => setScene({ at: 'find', purpose: 'register' });
  switch (scene.at) {
    case 'home':
      return <Tasks {...{ setScene, hasTime }} />;
    case 'find':
      return <FindPerson purpose={scene.purpose} {...{ ask, setScene, home }} />;
    case 'new': {
      const { person, error } = scene;
      return (
        <PersonForm
          {...{ title: newPerson, person, error, onBack: find }}
          onSend={(sent) => setScene({ at: 'how', registrant: { person: sent } })}
        />
      );
    }
    case 'how': {
      const { registrant } = scene;
      const choose = (how: How) => onRegister(registrant, how);
      const back = () =>
        'person' in registrant ? setScene({ at: 'new', person: registrant.person }) : find();
      return <HowKnown {...{ registrant }} onChoose={choose} onBack={back} />;
    }
    case 'phones':
      return <LostPhone person={scene.person} {...{ ask, setScene, home }} />;
    case 'locked':
      return <PhoneLocked person={scene.person} {...{ setScene, home }} />;
    case 'clock':
      return <ClockSomebody person={scene.person} {...{ ask, setScene, home }} />;
    case 'clocked':
      return <Clocked {...scene} onDone={home} />;
    case 'give-pin':
      return <GivePin person={scene.person} {...{ ask, setScene, home }} />;
    case 'pin':
      return <ShownPin {...scene} onDone={home} />;
    case 'registered':
      return <Registered scene={scene} onDone={home} />;
    case 'presence':
      return <Presence ask={ask} onBack={home} />;
  }
}
