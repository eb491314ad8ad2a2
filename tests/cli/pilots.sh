# The pilots: as ordinary scripts, and as studies.
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
$python -c 'import torch, numpy' 2>/dev/null || skip 'PyTorch or NumPy is not installed'
export OMP_NUM_THREADS=1
nt3=$SOURCE/pilots/nt3 unet=$SOURCE/pilots/unet

# at_least NAME VALUE LEAST, value_of NAME: check and print a number that the last script printed.
at_least() { equals "$1 ($2)" "$(awk "BEGIN {print ($2 >= $3)}")" 1; }
value_of() { sed -n "s/^$1: //p" <<<"$OUT"; }

# ---- NT3 by itself ----
check 'data for NT3 are made' $python "$nt3/make_data.py" --genes 600 --train 112 --test 28 \
    --data_dir "$T/nt3"
equals 'with so many rows' "$(wc -l <nt3/nt_train2.csv) $(wc -l <nt3/nt_test2.csv)" '112 28'
equals 'and a class before the genes' "$(awk -F, '{print NF}' nt3/nt_test2.csv | sort -u)" 601
equals 'of which there are two' "$(cut -d, -f1 nt3/nt_train2.csv | sort -u | xargs)" '0 1'

train=("$python" "$nt3/nt3.py" --data_dir "$T/nt3" --conv '16 20 1 16 10 1' --optimizer adam
    --learning_rate 0.003)
check 'the network trains without Wick' "${train[@]}" --epochs 14
contains 'it tells of its epochs' "$OUT" 'epoch 14 loss'
at_least 'it tells tumours from normal tissue' "$(value_of val_accuracy)" 0.75
straight=$OUT
equals 'a copy of the data is read faster' "$(ls nt3/*.part 2>/dev/null; ls nt3 | grep -c npy)" 2
check 'a training has a checkpoint' "${train[@]}" --epochs 8 --save_path "$T/saved"
check 'and goes on from it' "${train[@]}" --epochs 14 --save_path "$T/saved"
contains 'where it was' "$OUT" 'continues after epoch 8'
equals 'as if nothing had been' "$(tail -n 2 <<<"$OUT")" "$(tail -n 2 <<<"$straight")"
refuse 1 'data that are not there' 'make data with make_data.py' $python "$nt3/nt3.py" \
    --data_dir "$T/none"
refuse 2 'an unknown optimizer' 'invalid choice' $python "$nt3/nt3.py" --optimizer addam

# ---- NT3 as a study ----
check 'the study has no mistakes' "$WICK" check "$nt3/study.yaml"
check 'it runs' "$WICK" run "$nt3/study.yaml" --quiet --no-report --dir "$T/study" --trials 4 \
    --workers 2 --set data_dir="$T/nt3" --set 'conv=4 20 2 4 10 1' --set epochs=2 \
    --stop median --interpreter $python
equals 'every trial gave a loss' \
    "$("$WICK" sql study 'select count(score) from trials' --format csv | tail -n 1 | tr -d '\r')" 4
contains 'and an accuracy' "$("$WICK" sql study 'select distinct name from metrics' --format csv)" \
    val_accuracy

# ---- U-Net ----
check 'data for U-Net are made' $python "$unet/make_data.py" --train 32 --test 8 --side 32 \
    --data "$T/nuclei.npz"
check 'the network trains without Wick' $python "$unet/unet.py" --data "$T/nuclei.npz" --layers 1 \
    --epochs 12 --batch_size 4 --learning_rate 0.01
at_least 'it finds nuclei' "$(value_of val_dice)" 0.5
refuse 1 'data that are not there' 'make it with make_data.py' $python "$unet/unet.py" \
    --data "$T/none.npz"

check 'three kinds of search are compared' env OUT="$T/compare" WICK="$WICK" "$unet/compare" 4 2 \
    --quiet --set data="$T/nuclei.npz" --set epochs=1 --set filters=4 --interpreter $python
equals 'each with the same budget' "$(for kind in grid batch async; do
    "$WICK" sql "compare/$kind" 'select count(score) from trials' --format csv | tail -n 1
done | tr -d '\r' | xargs)" '4 4 4'
equals 'in rounds where it says so' "$("$WICK" sql compare/batch --format csv \
    'select min(later.started) >= max(first.ended) from trials first, trials later
     where first.trial <= 2 and later.trial > 2' | tail -n 1 | tr -d '\r')" 1
equals 'one page has the charts of all three' \
    "$(grep -o '"study":{"name":"[a-z]*"' compare/compare.html | cut -d'"' -f6 | xargs)" \
    'grid batch async'
check 'it says how it is used' "$unet/compare" --help
contains 'with an example' "$OUT" './compare 24 2 '
refuse 2 'no number of trials' "'many' is not a number of trials" "$unet/compare" many
refuse 2 'no number of workers' "'--seed' is not a number of trials or workers" "$unet/compare" 4 --seed 7
refuse 2 'a folder that is there' 'is there already' env OUT="$T/compare" "$unet/compare" 4 2
mkdir unet && cp "$unet/compare" unet
check 'its own name is not in its way' env -C unet WICK=true ./compare 4 2
finish
