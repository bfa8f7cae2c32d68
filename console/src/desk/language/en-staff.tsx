import type { ReactNode } from 'react';

/** What only the staff reads: setting the desk up, and leaving it. */
export const en = {
  setUp: {
    title: 'Set up this desk',
    about:
      'In the dashboard, add a device of the type Kiosk. Type the code that it shows. People then register and sign in on this screen, without anybody’s log-in.',
    code: 'Code of the device',
    hint: 'Such as SV-7K2M-Q9RT. It is valid for 15 minutes.',
    action: 'Set up this screen',
    incomplete: 'The code has eight letters or digits after SV.',
    failed:
      'This code is wrong, was used, or has expired. Create a new one on the device’s page in the dashboard.',
    offline: 'The service did not respond. Check the connection and try again.',
    busy: 'Too many codes were tried. Wait a minute and try again.',
    noStorage: 'This browser can’t keep a key. Open the desk in a window that is not private.',
    unexpected: 'The service did not accept this. Reload the page and try again.',
  },
  menu: {
    title: 'This desk',
    device: (name: ReactNode) => <>This screen is {name}.</>,
    about:
      'To leave the desk, log in as a member of the company. The key of this screen is then deleted. You are not kept logged in.',
    email: 'E-mail',
    password: 'Password',
    action: 'Leave the desk',
    wrongAccount: 'This is a member of another company. The desk stays.',
    withPasskey: 'Leave with a passkey',
    wrongLogIn: 'The e-mail or the password is wrong.',
    wrongPasskey: 'This passkey doesn’t work here any more.',
    noPasskey: 'No passkey was used. It was cancelled or took too long.',
    busy: 'Too many attempts. Wait a minute and try again.',
    offline: 'The service did not respond. Check the connection and try again.',
    unexpected: 'The service did not accept this log-in.',
  },
};

export type StaffStrings = typeof en;
