/*
** install.h - turnstile_install() and turnstile_schema().
*/
#ifndef TS_INSTALL_H
#define TS_INSTALL_H

#include "core.h"

int ts_install_register(Conn *conn);

#endif
