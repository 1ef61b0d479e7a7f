/*
** path.h - the table-valued functions turn_path and turn_tree.
*/
#ifndef TS_PATH_H
#define TS_PATH_H

#include "core.h"

int ts_turn_path_register(Conn *conn);

#endif
