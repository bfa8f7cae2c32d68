import type { PhoneStrings } from './en-phone';

export const es: PhoneStrings = {
  person: {
    title: '¿Quién eres?',
    fullName: 'Nombre y apellidos',
    contact: 'Correo electrónico o teléfono',
    optional: 'Opcional. Solo para contactar contigo.',
    wrongContact: 'Escribe una dirección de correo electrónico o un número de teléfono.',
    missingName: 'Escribe el nombre.',
    action: 'Continuar',
  },
  stage: {
    code: 'Código para tu móvil',
    number: 'Tu número',
    connected: 'Móvil conectado',
    type: 'Escribe este número en tu móvil',
    goOn: 'Continúa en tu móvil. Solo tardará unos segundos.',
    showCode: '¿No es tu móvil? Mostrar el código',
  },
  registering: {
    title: 'Escanea el código con tu móvil',
    titleConnected: 'Confirma en tu móvil',
    steps: ['Escanea el código', 'Confirma en tu móvil', 'Listo'],
    label: 'Pasos',
    spoken: { done: 'hecho', current: 'ahora', ahead: 'después' },
    opening: 'Preparando tu código',
    waiting: 'Esperando a tu móvil',
    confirming: 'Esperando tu confirmación',
    proving: 'Tu móvil está demostrando que tiene su clave',
    lost: 'Sin conexión. Reintentando…',
    newCode: '¿No es tu móvil? Mostrar un código nuevo',
  },
  signingIn: {
    title: 'Escanea y luego escribe tu número',
    titleConnected: 'Escribe tu número',
    waiting: 'Esperando a tu móvil',
    refused: 'No se ha aceptado un móvil. En su pantalla se indica qué hacer. El código sigue siendo válido.',
  },
  done: {
    registered: (name) => <>Te has registrado, {name}</>,
    signedIn: (name) => <>Hola, {name}</>,
    signedInAnybody: 'Has iniciado sesión',
    registeredAbout: 'A partir de ahora puedes iniciar sesión con este móvil.',
    signedInAbout: 'Tu inicio de sesión está confirmado.',
    registerAnother: 'Registrar a otra persona',
    signInAnother: 'Otro inicio de sesión',
  },
  ended: {
    again: 'Mostrar un código nuevo',
    expired: [
      'El código ha caducado',
      'Nadie ha terminado a tiempo. Muestra un código nuevo cuando tengas el móvil a mano.',
    ],
    declined: ['Rechazado en el móvil', 'Nadie ha iniciado sesión.'],
    rejected: [
      'Número incorrecto',
      'En el móvil se ha escrito otro número, así que nadie ha iniciado sesión. Muestra un código nuevo y escribe el número que aparece al lado.',
    ],
    abandoned: [
      'Registro no completado',
      'El registro se ha detenido antes de que el móvil terminara. Muestra un código nuevo para volver a intentarlo.',
    ],
  },
};
