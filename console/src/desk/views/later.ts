/** What nobody sees first. It is loaded while the desk waits for a person, so that the desk starts sooner. */
export { Menu } from './menu';
export { RegisteringScene } from './registering';
export { SigningIn } from './signing-in';
