import type { ClockStrings } from './en-clock';

export const es: ClockStrings = {
  title: 'Escanea para fichar',
  code: 'Código para fichar',
  nextIn: (seconds) => `Nuevo código en ${seconds}\u00a0s`,
  lost: ['Sin conexión', 'El código volverá por sí solo.'],
  done: {
    came: (time) => `Entrada ${time}`,
    went: (time) => `Salida ${time}`,
    break: (time) => `Pausa ${time}`,
    back: (time) => `Vuelta ${time}`,
  },
};
