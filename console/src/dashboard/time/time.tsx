// The pages of the room are loaded together: they share most of their code, and Here now must open without a network.
export { Corrections } from './corrections/corrections';
export { HereNow } from './here/here-now';
export { Month } from './month/month';
export { PersonMonth } from './person/person-month';
export { Sites } from './sites/sites';
