import type { ReactNode } from 'react';
import { DoorScene, KioskScene, ReceptionScene } from './scenes';
import style from './uses.module.css';

/** Three places where people sign in with a phone. */
export const Uses = () => (
  <ul className={style.uses}>
    <Use scene={<ReceptionScene />} title="Reception" link={['Set up a desk', '/docs/devices#a-desk']}>
      A tablet registers visitors and staff, and signs them in when they come back. They scan its code with
      their own phone and install nothing.
    </Use>
    <Use
      scene={<KioskScene />}
      title="Kiosk and shared computer"
      link={['Sign people in at a kiosk', '/docs/devices#kiosks-and-shared-computers']}
    >
      Nobody types a password where others can watch. The number on the screen keeps people from approving
      somebody else’s sign-in.
    </Use>
    <Use scene={<DoorScene />} title="Door" link={['Record who came and went', '/docs/attendance']}>
      The phone proves who is at the door, and your controller opens it. Every entry is in a log that nobody
      can change later without being noticed.
    </Use>
  </ul>
);

const Use = ({
  scene,
  title,
  link: [name, href],
  children,
}: {
  readonly scene: ReactNode;
  readonly title: string;
  readonly link: readonly [name: string, href: string];
  readonly children: ReactNode;
}) => (
  <li>
    {scene}
    <div className={style.text}>
      <h3>{title}</h3>
      <p>{children}</p>
      <a href={href}>{name}</a>
    </div>
  </li>
);
