import type { StaffStrings } from './en-staff';

export const es: StaffStrings = {
  setUp: {
    title: 'Configurar este puesto',
    about:
      'En el panel de control, añade un dispositivo de tipo Kiosk y escribe aquí el código que aparece. Después, la gente se registra e inicia sesión en esta pantalla sin usar la cuenta de nadie.',
    code: 'Código del dispositivo',
    hint: 'Por ejemplo, SV-7K2M-Q9RT. Es válido durante 15 minutos.',
    action: 'Configurar esta pantalla',
    incomplete: 'El código tiene ocho letras o dígitos después de SV.',
    failed:
      'Este código es incorrecto, ya se ha usado o ha caducado. Crea uno nuevo en la página del dispositivo, en el panel de control.',
    offline: 'El servicio no ha respondido. Comprueba la conexión e inténtalo de nuevo.',
    busy: 'Se han probado demasiados códigos. Espera un minuto e inténtalo de nuevo.',
    noStorage: 'Este navegador no puede guardar una clave. Abre el puesto en una ventana que no sea privada.',
    unexpected: 'El servicio no lo ha aceptado. Recarga la página e inténtalo de nuevo.',
  },
  menu: {
    title: 'Para el personal',
    device: (name) => <>Esta pantalla se llama {name}.</>,
    about:
      'Inicia sesión para registrar a personas o para ayudar a alguien que ha perdido el móvil. Termina a los diez minutos y tu sesión no se queda abierta.',
    start: 'Empezar',
    startWithPasskey: 'Empezar con una llave de acceso',
    notAllowed: 'Los miembros con tu rol no pueden trabajar en este puesto.',
    leave: 'Salir del puesto',
    leaveAbout:
      'Para salir del puesto, inicia sesión como miembro de la empresa. Entonces se borra la clave de esta pantalla. Tu sesión no se queda abierta.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    action: 'Salir del puesto',
    wrongAccount: 'Este miembro es de otra empresa. El puesto se queda como está.',
    withPasskey: 'Salir con una llave de acceso',
    wrongLogIn: 'El correo electrónico o la contraseña no son correctos.',
    wrongPasskey: 'Esta llave de acceso ya no funciona aquí.',
    noPasskey: 'No se ha usado ninguna llave de acceso. Se ha cancelado o ha tardado demasiado.',
    busy: 'Demasiados intentos. Espera un minuto e inténtalo de nuevo.',
    offline: 'El servicio no ha respondido. Comprueba la conexión e inténtalo de nuevo.',
    unexpected: 'El servicio no ha aceptado este inicio de sesión.',
  },
  work: {
    here: (name) => <>{name} está trabajando aquí.</>,
    leftover: (left) => <>Quedan {left}</>,
    timeOver: 'Se ha acabado el tiempo',
    over: 'Tu tiempo en este puesto ha terminado. Inicia sesión de nuevo para continuar.',
    end: 'Terminar',
    home: {
      title: '¿Qué quieres hacer?',
      register: 'Registrar a alguien',
      registerAbout: 'Confirma quién es y muéstrale un código.',
      lost: 'Se ha perdido un móvil',
      lostAbout: 'Bloquéalo y registra el nuevo.',
      presence: 'Quién está aquí',
      presenceAbout: 'Todas las personas que han fichado la entrada.',
      clock: 'Fichar por alguien',
      clockAbout: 'Sin su móvil. Tú estás a su lado.',
      pin: 'Dar un PIN',
      pinAbout: 'Para alguien que ficha sin móvil.',
      onlyClock: 'Mostrar solo el fichaje',
      onlyClockAbout: 'Esta pantalla se queda en el fichaje, por ejemplo en una entrada.',
      everything: 'Volver a mostrar el inicio',
      everythingAbout: 'Registro, inicio de sesión y fichaje.',
    },
    find: {
      register: '¿Quién quiere registrarse?',
      lost: '¿Quién ha perdido un móvil?',
      clock: '¿Quién entra o sale?',
      pin: '¿Quién recibe un PIN?',
      name: 'Nombre o último apellido',
      hint: 'Nombre, último apellido o nombre completo, sin abreviar y con al menos tres letras.',
      action: 'Buscar',
      short: 'Escribe un nombre de al menos tres letras.',
      none: 'No se ha encontrado a nadie.',
      more: 'Puede que haya más personas. Escribe algo más del nombre.',
      found: 'Personas encontradas',
      unconfirmed: 'Nombre sin confirmar',
      phones: (count) => (count === 0 ? 'Ningún móvil' : count === 1 ? 'Un móvil' : `${count} móviles`),
      someoneNew: 'Una persona nueva',
    },
    newPerson: '¿Quién es?',
    how: {
      title: (name) => <>¿Cómo sabes que es {name}?</>,
      about: 'Tu respuesta se guarda con el nombre.',
      replaces: 'Ya tiene un móvil. El nuevo lo sustituirá cuando lo confirme un propietario.',
      known: 'Conozco a esta persona',
      document_seen: 'He visto un documento de identidad',
      list: 'Está en una lista en la que confío',
    },
    phones: {
      title: (name) => <>¿Qué móvil ha perdido {name}?</>,
      none: (name) => <>{name} no tiene ningún móvil que funcione.</>,
      noneAbout: 'No hay nada que bloquear. Puedes registrar el móvil nuevo.',
      list: 'Móviles',
      phone: 'Móvil',
      since: (at) => <>Registrado el {at}</>,
      lock: 'Bloquear',
      sure: '¿Bloquearlo ahora?',
      yes: 'Sí, bloquear',
    },
    locked: {
      title: 'El móvil está bloqueado',
      about: 'Ya nadie puede iniciar sesión con él. Registra ahora el móvil nuevo si está aquí.',
      register: 'Registrar el móvil nuevo',
      later: 'Ahora no',
    },
    registered: {
      title: (name) => <>Se ha registrado a {name}</>,
      about: 'Ya puede iniciar sesión con este móvil.',
      waits: (name) => <>Aún no funciona el móvil nuevo de {name}</>,
      worksFrom: (time) => (
        <>
          Podrá iniciar sesión cuando un propietario haya confirmado el móvil nuevo en el panel de control.
          Como muy pronto: {time}.
        </>
      ),
      worksOnceConfirmed:
        'Podrá iniciar sesión en cuanto un propietario haya confirmado el móvil nuevo en el panel de control.',
    },
    presence: {
      title: (count) =>
        count === 0
          ? 'No hay nadie aquí'
          : count === 1
            ? 'Hay una persona aquí'
            : `Hay ${count} personas aquí`,
      since: (at) => <>Entrada: {at}</>,
      unnamed: 'Sin nombre',
      more: (count) => `Se muestran las ${count} últimas en llegar.`,
    },
    clock: { title: (name) => <>¿Qué ficha {name}?</> },
    pin: {
      title: (name) => <>¿Dar un PIN nuevo a {name}?</>,
      about: 'Solo se muestra una vez. El que tuviera deja de valer.',
      action: 'Crear un PIN',
      of: (name) => <>PIN de {name}</>,
      once: 'Vale con tu número de personal para fichar. La primera vez eliges uno propio.',
      print: 'Imprimir',
    },
    faults: {
      busy: 'Demasiadas solicitudes en este puesto. Espera unos minutos.',
      full: 'La empresa ha agotado su límite mensual.',
      notAllowed: 'La cuenta de la empresa o tu rol ya no lo permiten.',
      ended: 'El código ha caducado o el móvil no ha terminado. Vuelve a elegir para ver un código nuevo.',
      limit: 'Esta persona ya tiene todos los móviles que puede tener. Bloquea uno primero.',
      gone: 'Esta persona o este móvil ya no está. Busca de nuevo.',
      offline: 'El servicio no ha respondido. Comprueba la conexión e inténtalo de nuevo.',
      unexpected: 'El servicio no lo ha aceptado. Inténtalo de nuevo.',
    },
  },
};
