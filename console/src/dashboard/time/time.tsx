// The pages of the room are loaded together: they share most of their code, and Here now must open without a network.
export { Sites } from './sites/sites';
