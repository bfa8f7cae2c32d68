import { Smartphone, UserPlus, Users } from 'lucide-react';
import { useStaffTexts } from '../language/staff';
import { Choice, Choices } from './choices';
import type { StaffScene } from './scene';
import { Title } from './title';

/** What a member can do here. */
export function Tasks({ setScene }: { readonly setScene: (scene: StaffScene) => void }) {
  const { home: t } = useStaffTexts().work;
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
        <Choice
          icon={<Users aria-hidden="true" />}
          name={t.presence}
          about={t.presenceAbout}
          onChoose={() => setScene({ at: 'presence' })}
        />
      </Choices>
    </>
  );
}
