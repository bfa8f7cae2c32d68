/** What nobody sees first. It is loaded while the desk waits for a person, so that the desk starts sooner. */
export { Done } from './done';
export { Ended } from './ended';
export { afterError, Failed } from './failed';
export { Menu } from './menu';
export { PersonForm } from './person-form';
export { RegisteringScene } from './registering';
export { SetUp } from './set-up';
export { SigningIn } from './signing-in';
