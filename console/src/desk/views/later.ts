/** What nobody sees first. It is loaded while the desk waits for a person, so that the desk starts sooner. */

export { ClockScene } from '../clock/clock';
export { StaffBar } from '../staff/bar';
export { StaffOver } from '../staff/over';
export { StaffRoom } from '../staff/room';
export { Menu } from './forms/menu';
export { PersonForm } from './forms/person-form';
export { SetUp } from './forms/set-up';
export { Done } from './outcomes/done';
export { Ended } from './outcomes/ended';
export { afterError, Failed } from './outcomes/failed';
export { RegisteringScene } from './with-phone/registering';
export { SigningIn } from './with-phone/signing-in';
