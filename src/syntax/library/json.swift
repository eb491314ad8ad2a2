// A path leads through objects by names and through lists by places, with commas between them.

@pure (string o) json_type(string json, string path) "wick" "1" "json_type";
@pure (string o) json_get(string json, string path) "wick" "1" "json_get";
@pure (int o) json_get_int(string json, string path) "wick" "1" "json_get_int";
@pure (float o) json_get_float(string json, string path) "wick" "1" "json_get_float";
@pure (boolean o) json_get_boolean(string json, string path) "wick" "1" "json_get_boolean";
@pure (int o) json_array_size(string json, string path) "wick" "1" "json_array_size";
@pure (string o) json_object_names(string json, string path) "wick" "1" "json_object_names";
@pure (string o) json_join(string left, string right) "wick" "1" "json_join";
@pure (string o) json_arrayify(string text) "wick" "1" "json_arrayify";
@pure (string o) json_objectify(string text) "wick" "1" "json_objectify";

@pure (string o) json_encode_array(int|float|string|boolean... v) "wick" "1" "json_encode_array";
@pure (string o) json_encode_array_contents(int|float|string|boolean... v)
    "wick" "1" "json_encode_array_contents";
@pure (string o) json_encode_array_retype(string types[], int|float|string|boolean... v)
    "wick" "1" "json_encode_array_retype";
@pure (string o) json_encode_array_contents_retype(string types[], int|float|string|boolean... v)
    "wick" "1" "json_encode_array_contents_retype";
@pure (string o) json_encode_array_format(string format, int|float|string|boolean... v)
    "wick" "1" "json_encode_array_format";
@pure (string o) json_encode_array_contents_format(string format, int|float|string|boolean... v)
    "wick" "1" "json_encode_array_contents_format";

@pure (string o) json_encode_object(string names[], int|float|string|boolean... v)
    "wick" "1" "json_encode_object";
@pure (string o) json_encode_object_contents(string names[], int|float|string|boolean... v)
    "wick" "1" "json_encode_object_contents";
@pure (string o) json_encode_object_retype(string names[], string types[],
                                           int|float|string|boolean... v)
    "wick" "1" "json_encode_object_retype";
@pure (string o) json_encode_object_contents_retype(string names[], string types[],
                                                    int|float|string|boolean... v)
    "wick" "1" "json_encode_object_contents_retype";
@pure (string o) json_encode_object_format(string names[], string format,
                                           int|float|string|boolean... v)
    "wick" "1" "json_encode_object_format";
@pure (string o) json_encode_object_contents_format(string names[], string format,
                                                    int|float|string|boolean... v)
    "wick" "1" "json_encode_object_contents_format";
