import { Clock, House, KeyRound, LogIn, Smartphone, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { isOnlyClock, keepOnlyClock } from '../device/kept-mode';
import { useStaffTexts } from '../language/staff';
import { Choice, Choices } from './choices';
import type { StaffScene } from './scene';
import { Title } from './title';

/** What a member can do here. */
export function Tasks({
  setScene,
  hasTime,
}: {
  readonly setScene: (scene: StaffScene) => void;
  readonly hasTime: boolean;
}) {
  const { home: t } = useStaffTexts().work;
  const [isOnly, setOnly] = useState(isOnlyClock);
  const toggle = () => {
    keepOnlyClock(!isOnly);
    setOnly(isOnlyClock());
  };
  return (
    <>
      <Title>{t.title}</Title>
      <Choices>
        <Choice
          icon={<UserPlus aria-hidden="true" />}
          name={t.register}
          about={t.registerAbout}
          onChoose={() => setScene({ at: 'find', purpose: 'register' })}
        />
        <Choice
          icon={<Smartphone aria-hidden="true" />}
          name={t.lost}
          about={t.lostAbout}
          onChoose={() => setScene({ at: 'find', purpose: 'lost' })}
        />
        {hasTime && (
          <>
            <Choice
              icon={<LogIn aria-hidden="true" />}
              name={t.clock}
              about={t.clockAbout}
              onChoose={() => setScene({ at: 'find', purpose: 'clock' })}
            />
            <Choice
              icon={<KeyRound aria-hidden="true" />}
              name={t.pin}
              about={t.pinAbout}
              onChoose={() => setScene({ at: 'find', purpose: 'pin' })}
            />
          </>
        )}
        <Choice
          icon={<Users aria-hidden="true" />}
          name={t.presence}
          about={t.presenceAbout}
          onChoose={() => setScene({ at: 'presence' })}
        />
        {(hasTime || isOnly) && (
          <Choice
            icon={isOnly ? <House aria-hidden="true" /> : <Clock aria-hidden="true" />}
            name={isOnly ? t.everything : t.onlyClock}
            about={isOnly ? t.everythingAbout : t.onlyClockAbout}
            onChoose={toggle}
          />
        )}
      </Choices>
    </>
  );
}
